-- The flag was derived from the plan until now. Tasks that have it already get it without an event: it did not happen
-- now. The same goes for those whose window ended before their driver came.
update tasks set will_be_delayed = not will_be_delayed
where status_id < 9 and deleted_at is null
  and will_be_delayed <> coalesce(
    user_id is not null and arrived_at is null and not driver_arrived
      and complete_before < greatest(now(), (route ->> 'arrivalTime')::timestamptz), false);
