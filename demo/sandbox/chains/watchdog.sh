# Ends the sandbox's chains when the sandbox itself is gone, however it went.
#
# The sandbox tells this process over a pipe which processes it started ("+pid") and which have ended ("-pid"). The
# kernel closes the pipe with the sandbox, also on SIGKILL; that is the sign to end what is left. It is a program of its
# own because nothing inside the dying process could do it, and the shell's because that takes no memory to speak of. It
# runs in a session of its own, so the signals that a closing terminal sends do not reach it before its work is done.
trap '' INT TERM HUP

running=' '
while read -r line; do
  pid=${line#?}
  case $line in
    +*) running="$running$pid " ;;
    -*) case $running in *" $pid "*) running="${running%% "$pid" *} ${running#* "$pid" }" ;; esac ;;
  esac
done

for pid in $running; do kill -9 "$pid" 2>/dev/null; done
