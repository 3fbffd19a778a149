"""The order form in a page: all that a seat may order, as plain data that the page counts with."""
