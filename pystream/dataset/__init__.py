"""The batch API of Flink's older Python guide: DataSet."""
