"""Telling the wedstrijdleider who is not at the desk: messages to phones and to a club's own program."""
