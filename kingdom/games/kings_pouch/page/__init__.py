"""The order form's page, which counts as the engine will: what the effects of buildings do, as data that the page adds up."""
