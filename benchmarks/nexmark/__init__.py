"""NEXMark: queries over the events of online auctions. See docs/benchmarks.md."""
