#!/bin/sh
# Starts RabbitMQ of the public image or of Debian's packages as the user of this pod. Their own entry points begin as root.
set -eu
for folder in /opt/rabbitmq/sbin /usr/lib/rabbitmq/bin; do
  if [ -d "$folder" ]; then PATH="$folder:$PATH"; fi
done
exec rabbitmq-server
