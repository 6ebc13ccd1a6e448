-- incidents open before lists are worked out again: such a job waits for none of another kind
create index job_urgent on job (run_at, id) where state = 'waiting' and kind = 'open_incidents';
