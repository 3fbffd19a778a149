"""The mail of a house of campaigns: which campaign a mail is for, who asks for a seat, who gets one."""
