#!/usr/bin/env bash
# The step of action.yml that compares. Status 0 whether or not the gate holds; that is an output. Errors end the job.
set -euo pipefail

place="$RUNNER_TEMP/certus"
if [ -z "${CERTUS:-}" ]; then # tests name a command that is installed
  "$PYTHON" -m venv "$place"
  "$place/bin/python" -m pip install --quiet "$CERTUS_VERSION"
  CERTUS="$place/bin/certus"
fi

arguments=()
while IFS= read -r line; do
  line="${line#"${line%%[![:space:]]*}"}"
  line="${line%"${line##*[![:space:]]}"}"
  if [ -n "$line" ]; then
    arguments+=("$line")
  fi
done <<< "$CERTUS_ARGUMENTS"

table="$RUNNER_TEMP/certus-compare.md"
status=0
found="$("$CERTUS" compare "${arguments[@]}" --fail-if-worse --format markdown 2> "$RUNNER_TEMP/certus-said.txt")" || status=$?
cat "$RUNNER_TEMP/certus-said.txt" >&2
if [ "$status" -gt 1 ]; then
  exit "$status"
fi
{
  printf '### certus compare: the gate %s\n\n' "$([ "$status" = 0 ] && echo holds || echo fails)"
  printf '%s\n\n' "$found"
  printf '```text\n'
  sed 's/^certus: //; s/`/'"'"'/g' "$RUNNER_TEMP/certus-said.txt"
  printf '```\n'
} > "$table"
cat "$table" >> "$GITHUB_STEP_SUMMARY"
{
  echo "holds=$([ "$status" = 0 ] && echo true || echo false)"
  echo "table=$table"
} >> "$GITHUB_OUTPUT"
