# Completes bases of images, and leaves the rest to the functions above. Names of allocations are not completed: they
# are data of the images, and the shell would execute parts of them.
function _arena() {
  # The options with values, the options whose values are bases, and the kinds of the other arguments: b for a base, n
  # for a name, - for anything else, + after a kind that can be repeated.
  local values='' bases='' kinds=''
  case "${COMP_WORDS[1]-}" in
    # commands
  esac
  local i word joined='' option='' count=0 kind='' dash='-' rest="${COMP_LINE-}"
  for ((i = 0; i < COMP_CWORD; i++)); do
    _arena_join "${COMP_WORDS[i]}" "${COMP_WORDS[i + 1]-}"
    if ((i < 2)) || [[ -n "$joined" ]]; then
      continue
    elif [[ -n "$option" ]]; then
      option=''
    elif [[ -n "$dash" && "$word" == "--" ]]; then
      # From here on, no word is an option.
      dash=''
    elif [[ -n "$dash" && "$values" == *" $word "* ]]; then
      option="$word"
    elif [[ -z "$dash" || "$word" != -* ]]; then
      count=$((count + 1))
    fi
  done
  # The shell replaces the part of the word after this start.
  local start="$joined"
  word="$joined${COMP_WORDS[COMP_CWORD]-}"
  if [[ -n "$joined" && "${COMP_WORDS[COMP_CWORD]-}" == [:=] ]]; then start="$word"; fi
  if [[ -n "$dash" && -z "$option" && "$word" == --*=* && "$values" == *" ${word%%=*} "* ]]; then
    option="${word%%=*}"
    start="${start#"$option="}"
    word="${word#"$option="}"
  fi
  _arena_kind $count
  COMPREPLY=()
  if [[ -n "$option" && "$bases" == *" $option "* ]]; then
    _arena_bases "$word"
  elif [[ -n "$option" || ( -n "$dash" && "$word" == -* ) || "$kind" == - || -z "$kinds" ]]; then
    _complete_arena "$@"
  elif [[ "$kind" == b ]]; then
    _arena_bases "$word"
  fi
}

# Sets a word, and what of the next word comes before it. The shell splits words at colons and equal signs.
function _arena_join() {
  word="$joined$1"
  joined=''
  rest="${rest#*"$1"}"
  if [[ -n "$rest" && -n "$2" && "$rest" == "$2"* ]]; then joined="$word"; fi
}

# Sets the kind of an argument by its index.
function _arena_kind() {
  local at=0 left="$1"
  while ((left > 0)) && [[ "${kinds:$((at + 1)):1}" != "+" && -n "${kinds:$at:1}" ]]; do
    at=$((at + 1))
    left=$((left - 1))
  done
  kind="${kinds:$at:1}"
}

# Sets a word as the command will get it: without quotes and backslashes, and with the home directory.
function _arena_unquote() {
  plain="$1"
  case "$plain" in
    \"*) plain="${plain#\"}"; plain="${plain%\"}"; plain="${plain//\\/}" ;;
    \'*) plain="${plain#\'}"; plain="${plain%\'}" ;;
    \~/*) plain="$HOME/${plain#??}"; plain="${plain//\\/}" ;;
    *) plain="${plain//\\/}" ;;
  esac
}

# Finds the bases that begin with a word by the names of catalogs and data files, and directories.
function _arena_bases() {
  if [[ -n "${ZSH_VERSION-}" ]]; then setopt localoptions nonomatch; fi
  local plain file base begin seen=$'\n'
  _arena_unquote "$start"
  begin="$plain"
  _arena_unquote "$1"
  for file in "$plain"*.catalog "$plain"*-*[0-9]; do
    base="${file%.catalog}"
    if [[ "$base" == "$file" ]]; then
      if [[ "${file##*-}" == *[!0-9]* ]]; then continue; fi
      base="${file%-*}"
    fi
    if [[ -f "$file" && "$base" == "$plain"* && "$seen" != *$'\n'"$base"$'\n'* ]]; then
      seen="$seen$base"$'\n'
      COMPREPLY+=("${base#"$begin"}")
    fi
  done
  for file in "$plain"*/; do
    if [[ -d "$file" ]]; then
      file="${file%/}"
      COMPREPLY+=("${file#"$begin"}")
    fi
  done
  # The shell quotes names of files itself.
  if type compopt &>/dev/null; then compopt -o filenames +o default; fi
}

complete -F _arena -o default arena
