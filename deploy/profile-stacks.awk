# Folds what `perf script -F comm,ip,sym,dso` tells, a stack a paragraph, innermost frame first, into a line a stack:
# "thread;outer;inner COUNT". With -F period each sample counts for as many.
function flush_stack(   line, i) {
  if (frames > 0) {
    line = thread
    for (i = frames; i >= 1; --i) line = line ";" frame[i]
    count[line] += weight
  }
  frames = 0
}
/^[^ \t]/ {
  flush_stack()
  thread = $0
  sub(/[ \t]+$/, "", thread)
  weight = 1
  if (match(thread, /[ \t]+[0-9]+:?$/)) {
    weight = substr(thread, RSTART) + 0
    thread = substr(thread, 1, RSTART - 1)
  }
  next
}
/^[ \t]*$/ { flush_stack(); next }
{
  name = $0
  sub(/^[ \t]*[0-9a-f]+ /, "", name)
  object = name
  sub(/^.*\(/, "", object); sub(/\)[ \t]*$/, "", object)
  sub(/ \([^()]*\)[ \t]*$/, "", name)
  is_kernel = object ~ /kernel|\.ko/
  sub(/^.*\//, "", object)
  if (name == "[unknown]") name = "[" object "]"
  gsub(/;/, ":", name)
  # Templates' arguments say little and take a page.
  while (gsub(/<[^<>]*>/, "", name)) {}
  gsub(/\(anonymous namespace\)::/, "", name)
  sub(/\(.*$/, "", name)
  if (name == "") name = "[" object "]"
  frame[++frames] = name (is_kernel ? "_[k]" : "")
}
END { flush_stack(); for (line in count) print line, count[line] }
