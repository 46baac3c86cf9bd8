#!/bin/sh
# Hands over to the entry point of the image, with the password from its file and a key that belongs to the user of the server.
set -eu
mkdir -p /run/postgres-tls
cp /run/secrets/postgres/tls.crt /run/secrets/postgres/tls.key /run/postgres-tls/
chown -R postgres /run/postgres-tls
chmod 600 /run/postgres-tls/tls.key
POSTGRES_PASSWORD=$(cat /run/secrets/postgres/password)
export POSTGRES_PASSWORD
# 200 connections: six pools of 10, twice, and what operators need.
exec docker-entrypoint.sh postgres \
  -c hba_file=/etc/payment-gateway/pg_hba.conf -c max_connections=200 -c shared_buffers=256MB -c timezone=UTC \
  -c ssl=on -c ssl_cert_file=/run/postgres-tls/tls.crt -c ssl_key_file=/run/postgres-tls/tls.key
