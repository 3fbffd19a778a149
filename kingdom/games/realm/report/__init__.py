"""What reports, maps, forms and the page of the rules show."""
