"""What tests, benchmarks, fuzzing and the pictures of the documentation share; it imports none of them."""
