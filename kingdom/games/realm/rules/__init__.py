"""What the tables of the realm may say. The figures stand in data/*.yaml and nowhere else."""
