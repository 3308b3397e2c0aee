-- hours
SELECT window_start, window_end, COUNT(*) AS c, MIN(n) AS l
FROM TABLE(TUMBLE(TABLE calls, DESCRIPTOR(ts), INTERVAL '1' HOUR)) GROUP BY window_start, window_end

-- half_hours_of_a_key
SELECT window_start, window_end, item, COUNT(*) AS c, MIN(n) AS l
FROM TABLE(TUMBLE(TABLE calls, DESCRIPTOR(ts), INTERVAL '30' MINUTE)) GROUP BY window_start, window_end, item

-- days
SELECT window_start, window_end, COUNT(*) AS c, MIN(n) AS l
FROM TABLE(TUMBLE(TABLE calls, DESCRIPTOR(ts), INTERVAL '1' DAY)) GROUP BY window_start, window_end

-- hours_with_offset
SELECT window_start, window_end, COUNT(*) AS c, MIN(n) AS l
FROM TABLE(TUMBLE(TABLE calls, DESCRIPTOR(ts), INTERVAL '2' HOUR, INTERVAL '-30' MINUTE)) GROUP BY window_start, window_end

-- hopping_windows
SELECT window_start, window_end, COUNT(*) AS c, MIN(n) AS l
FROM TABLE(HOP(TABLE calls, DESCRIPTOR(ts), INTERVAL '1' HOUR, INTERVAL '2' HOUR)) GROUP BY window_start, window_end

-- cumulative_windows
SELECT window_start, window_end, COUNT(*) AS c, MIN(n) AS l
FROM TABLE(CUMULATE(TABLE calls, DESCRIPTOR(ts), INTERVAL '30' MINUTE, INTERVAL '2' HOUR))
GROUP BY window_start, window_end

-- rows_of_hours
SELECT n, window_start, window_end FROM TABLE(TUMBLE(TABLE calls, DESCRIPTOR(ts), INTERVAL '1' HOUR))

-- windows_of_a_view_of_hours
SELECT b, e, COUNT(*) AS c, MAX(n) AS g FROM hourly GROUP BY b, e

-- windows_of_the_results_of_hours
SELECT window_start, window_end, COUNT(*) AS c, SUM(c) AS s FROM (
    SELECT window_start, window_end, item, COUNT(*) AS c
    FROM TABLE(TUMBLE(TABLE calls, DESCRIPTOR(ts), INTERVAL '1' HOUR)) GROUP BY window_start, window_end, item
) GROUP BY window_start, window_end

-- over_an_hour
SELECT n, COUNT(*) OVER (ORDER BY ts RANGE BETWEEN INTERVAL '1' HOUR PRECEDING AND CURRENT ROW) AS c FROM calls
