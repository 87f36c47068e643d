"""What runs checks of clauses, whatever they are about: it knows no topic, and receives them."""
