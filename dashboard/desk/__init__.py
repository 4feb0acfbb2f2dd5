"""The wedstrijdleider's desk: what asks for a decision, what each decision would do, and what was decided."""
