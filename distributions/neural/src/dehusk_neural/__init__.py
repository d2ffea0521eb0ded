"""Networks for dehusk, which finds them here: boilernet/ and boilernet-small/."""
