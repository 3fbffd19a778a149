"""Where mail comes from and goes to: IMAP, SMTP, folders of files. Start reading at sources.py."""
