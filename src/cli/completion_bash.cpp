#include <fmt/format.h>

#include "cli/completion.h"

namespace sprig::cli {

namespace {

constexpr const char* opening =
    R"(# Completion of sprig for bash, written by 'sprig completion bash': source it, or put it into
# ~/.local/share/bash-completion/completions/sprig

# What may stand where. $1 is the verb, as /data/get; $2 is verbs, options, valued (the options that take a value),
# an option (then it is about its value), or a number: the word at that place. Sets reply to the words, and
# files if the name of a file may stand there.
_sprig_known() {
    reply=() files=''
    case $1:$2 in
)";

constexpr const char* tail = R"(    esac
}

_sprig_knows() { # VERB WHAT WORD
    _sprig_known "$1" "$2"
    [[ " ${reply[*]} " == *" $3 "* ]]
}

_sprig() {
    local reply files i word words=() verb='' place=1 option='' before='' lead=''
    COMPREPLY=()
    # Bash parts words at : and =; what was typed as one is made one again.
    for ((i = 1; i <= COMP_CWORD; i++)); do
        word=${COMP_WORDS[i]}
        if ((i > 1)) && [[ $word =~ ^[:=]+$ || (${COMP_WORDS[i - 1]} =~ ^[:=]+$ && $word != -*) ]]; then
            words[-1]+=$word
        else
            words+=("$word")
        fi
    done
    local current=${words[-1]}
    unset 'words[-1]'

    # Which verb it is, how many words it has, and whether an option waits for its value
    for word in "${words[@]}"; do
        if [[ $option ]]; then
            option=''
        elif [[ $word == -* ]]; then
            _sprig_knows "$verb" valued "$word" && option=$word
        elif _sprig_knows "$verb" verbs "$word"; then
            verb+=/$word
        else
            place=$((place + 1))
        fi
    done

    if [[ ! $option && $current == --*=* ]]; then
        option=${current%%=*}
        current=${current#*=}
        # Where bash does not part words at =, it wants the whole word back.
        [[ $COMP_WORDBREAKS == *=* ]] || lead=$option=
    fi
    if [[ $option ]]; then
        _sprig_known "$verb" "$option"
    elif [[ $current == -* ]]; then
        _sprig_known "$verb" options
    else
        _sprig_known "$verb" verbs
        ((${#reply[@]})) || _sprig_known "$verb" "$place"
    fi

    # Of a word with : bash wants what comes after it.
    [[ $COMP_WORDBREAKS == *:* && $current == *:* ]] && before=${current%:*}:
    for word in "${reply[@]}"; do
        [[ $word == "$current"* ]] && COMPREPLY+=("$lead${word#"$before"}")
    done
    if [[ ! $files ]]; then
        compopt +o default +o bashdefault 2>/dev/null || : # no names of files
    elif ((${#COMPREPLY[@]})) && [[ ! $before ]]; then
        # Told that these are files, bash escapes what it must, a : too: so only if there are some.
        while IFS= read -r word; do
            COMPREPLY+=("$word")
            compopt -o filenames 2>/dev/null || :
        done < <(compgen -f -- "$current")
    fi # with nothing else to offer bash itself completes the name of a file
    if [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *: ]]; then
        compopt -o nospace 2>/dev/null || :
    fi
}

complete -o bashdefault -o default -F _sprig sprig
)";

std::string joined(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : " ") + quoted(word);
    return text;
}

std::string known(const std::string& pattern, const std::string& sets) {
    return fmt::format("    {}) {} ;;\n", pattern, sets);
}

/// What the value of an option, or a word known by its place, may be.
std::string values(const std::string& pattern, const DeclaredOption& option) {
    std::string sets;
    if (!option.offers.empty()) sets = fmt::format("reply=({})", joined(option.offers));
    if (option.takes_files) sets += sets.empty() ? "files=yes" : " files=yes";
    return sets.empty() ? "" : known(pattern, sets);
}

std::string cases_of(const DeclaredVerb& verb) {
    std::string path;
    for (const std::string& name : verb.path) path += "/" + name;
    std::vector<std::string> verbs;
    for (const DeclaredVerb& below : verb.verbs) verbs.push_back(below.name());
    std::vector<std::string> options;
    std::vector<std::string> valued;
    std::string text;
    for (const DeclaredOption& option : verb.options) {
        options.insert(options.end(), option.names.begin(), option.names.end());
        if (option.is_switch()) continue;
        valued.insert(valued.end(), option.names.begin(), option.names.end());
        std::string pattern;
        for (const std::string& name : option.names)
            pattern += fmt::format("{}{}:{}", pattern.empty() ? "" : " | ", path, name);
        text += values(pattern, option);
    }
    for (std::size_t i = 0; i < verb.places.size(); ++i) {
        // The last one may go on for ever: then all further numbers are its own.
        const bool goes_on = verb.places[i].many && i + 1 == verb.places.size();
        text +=
            values(fmt::format("{}:{}", path, goes_on ? "[1-9]*" : std::to_string(i + 1)), verb.places[i]);
    }
    std::string lists;
    if (!verbs.empty()) lists += known(path + ":verbs", fmt::format("reply=({})", joined(verbs)));
    if (!options.empty()) lists += known(path + ":options", fmt::format("reply=({})", joined(options)));
    if (!valued.empty()) lists += known(path + ":valued", fmt::format("reply=({})", joined(valued)));
    return lists + text;
}

} // namespace

std::string quoted(const std::string& text, const char* inner) {
    std::string result = "'";
    for (const char c : text) c == '\'' ? result += inner : result += c;
    return result + "'";
}

std::string bash_completion(const DeclaredVerb& program) {
    std::string text = opening;
    for (const DeclaredVerb* verb : all_verbs(program)) text += cases_of(*verb);
    return text + tail;
}

} // namespace sprig::cli
