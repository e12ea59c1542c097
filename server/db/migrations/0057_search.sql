-- The words by which tasks are found (core/search), behind row-level security: there PostgreSQL uses an index only for operators that
-- cannot leak, such as comparisons of text, and not for patterns, trigrams or arrays. So a search is a range of this table.
-- Without keys: a task writes about fifteen, and both indexes keep what is equal only once. The words go with their task.
create table task_words (
  organisation_id bigint not null,
  task_id bigint not null,
  word text collate "C" not null
);
create index task_words_word on task_words (organisation_id, word);
create index task_words_task on task_words (organisation_id, task_id);

alter table task_words enable row level security;
alter table task_words force row level security;
create policy own_organisation on task_words
  using ((select current_setting('waybill.organisation')::bigint) in (0, organisation_id));

-- Up to which task it was seen that the words are there: those of an earlier version, or of its backup, get them later.
create table word_progress (
  organisation_id bigint primary key references organisations (id),
  task_id bigint not null default 0
);

alter table word_progress enable row level security;
alter table word_progress force row level security;
create policy own_organisation on word_progress
  using ((select current_setting('waybill.organisation')::bigint) in (0, organisation_id));
