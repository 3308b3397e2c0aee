-- hours_where_clocks_change
SELECT window_start, window_end, TIMESTAMPDIFF(SECOND, TO_TIMESTAMP_LTZ(0, 3), window_time) AS t, COUNT(*) AS c
FROM TABLE(TUMBLE(TABLE calls, DESCRIPTOR(at), INTERVAL '1' HOUR)) GROUP BY window_start, window_end, window_time
