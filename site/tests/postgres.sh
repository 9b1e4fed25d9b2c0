# The PostgreSQL of the tests. Without an argument: makes sure that there is one, the system's or
# Debian's package. With a folder that doesn't exist yet: runs a server in it, on a Unix socket in the
# same folder, until its input ends; the folder is gone afterwards. With a port and a PEM file of key
# and certificate it listens there too, on loopback, and knows TLS. Each line of its input is what to do
# with the server meanwhile, `stop` or `start`; it says `done` after it, and ends where that failed.

find_server() {
  for folder in $(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -t/ -k5 -n -r) $(dirname "$(command -v postgres)"); do
    if [ -x "$folder/initdb" ] && [ -x "$folder/postgres" ]; then
      programs=$folder
      return
    fi
  done
  return 1
}

lacking="The tests need PostgreSQL: install it (Debian: apt-get install postgresql), initdb and postgres in /usr/lib/postgresql/*/bin or in PATH"

if [ $# = 0 ]; then
  find_server && exit 0
  if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq postgresql >/dev/null && exit 0
  fi
  echo "$lacking" >&2
  exit 1
fi

if ! find_server; then
  echo "$lacking" >&2
  exit 1
fi
folder=$1
mkdir "$folder" || exit 1
# PostgreSQL refuses to run as root.
as_owner=
listening="-c listen_addresses="
if [ $# = 3 ]; then
  (umask 077 && cp "$3" "$folder/tls.pem")
  listening="-c listen_addresses=127.0.0.1 -p $2 -c ssl=on -c ssl_cert_file=$folder/tls.pem -c ssl_key_file=$folder/tls.pem"
fi
if [ "$(id -u)" = 0 ]; then
  chown -R postgres "$folder"
  as_owner="runuser -u postgres --"
fi
cd "$folder" || exit 1
# Ctrl-C ends the tests, and with them the input.
trap '' INT
trap 'exit 1' TERM
trap 'control stop; rm -rf "$folder"' EXIT
# The tests end processes, not the machine: without fsync they are much faster.
settings="-k $folder $listening -c fsync=off -c max_connections=200"
control() {
  $as_owner "$programs/pg_ctl" --pgdata=data --log=server.log --options="$settings" --mode=immediate --wait "$1" >>log 2>&1
}
failed() {
  cat ./*log >&2
  exit 1
}
{
  $as_owner "$programs/initdb" --pgdata=data --username=postgres --auth=trust --encoding=UTF8 --locale=C --no-sync >log 2>&1 &&
    control start
} || failed
echo ready
while read -r action; do
  control "$action" || failed
  echo "done"
done
