-- those that are due, whoever's they are: a claim starts from them, so that what waits for another try costs it nothing
create index job_due on job (run_at, id) where state = 'waiting';
