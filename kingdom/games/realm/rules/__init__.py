"""What the tables of the realm may say. The figures are in data/*.yaml and nowhere else."""
