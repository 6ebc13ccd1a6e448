-- Another time of awareness that waits for a second person ends when an earlier one takes effect. A row for each change that a person made: few.
alter table awareness_change
  drop constraint awareness_change_state_check,
  add constraint awareness_change_state_check
    check (state in ('in_force', 'pending', 'approved', 'rejected', 'withdrawn', 'superseded'));
