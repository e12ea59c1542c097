#!/bin/sh
# Writes a backup into the folder, reads it back, and drops those that are older than two weeks, with their receipts of
# erasures: the newest has them all. The old ones go only after the new one was found to be whole.
set -eu
folder=${1:?Say which folder the backups go to}
program=$(dirname "$0")/../bin/waybill.js
file=$folder/$(date +%Y-%m-%d-%H%M%S).tar
node "$program" backup "$file"
node "$program" backup --verify "$file"
for name in '????-??-??-??????.tar' '????-??-??-??????.tar.receipts.jsonl'; do
  find "$folder" -maxdepth 1 -name "$name" -mtime +14 -delete
done
