"""Trade between neighbours and along routes, smuggling, blockades and raids."""
