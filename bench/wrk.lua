-- Ends wrk's report with its figures as a line of JSON; times are in microseconds.
function done(summary, latency)
  local errors = summary.errors
  local failed = errors.connect + errors.read + errors.write + errors.status + errors.timeout
  io.write(string.format(
    '{"requests":%d,"bytes":%d,"duration":%d,"p50":%d,"p99":%d,"failed":%d}\n',
    summary.requests, summary.bytes, summary.duration,
    latency:percentile(50), latency:percentile(99), failed
  ))
end
