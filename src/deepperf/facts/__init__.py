"""Facts: what is known of the program before any rule runs."""
