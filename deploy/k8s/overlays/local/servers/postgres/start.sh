#!/bin/sh
# Starts Postgres of the public image or of Debian's packages as the user of this pod. Their own entry points begin as root.
set -eu
for folder in /usr/lib/postgresql/*/bin; do PATH="$folder:$PATH"; done
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  # Whole or not at all: a pod that dies here begins again.
  rm -rf "$PGDATA.new"
  initdb -D "$PGDATA.new" -U postgres --encoding=UTF8 --locale=C.UTF-8 --auth-local=reject --auth-host=scram-sha-256 \
    --pwfile=/run/secrets/postgres/password
  mv "$PGDATA.new" "$PGDATA"
fi
# 200 connections: every service twice (2 x 55) and sms-ingest four times.
exec postgres -D "$PGDATA" -c listen_addresses='*' -c unix_socket_directories=/tmp -c hba_file=/etc/postgres/pg_hba.conf \
  -c max_connections=200 -c shared_buffers=256MB -c timezone=UTC \
  -c ssl=on -c ssl_cert_file=/run/secrets/postgres/tls.crt -c ssl_key_file=/run/secrets/postgres/tls.key
