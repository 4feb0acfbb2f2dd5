"""An evening: who takes part, who sits where, what each match became, and the standings."""
