#!/bin/sh
# Hands over to the entry point of the image, with a key and accounts that belong to the user of the server.
set -eu
mkdir -p /run/rabbitmq-files /etc/rabbitmq/conf.d
cp /run/secrets/rabbitmq/tls.crt /run/secrets/rabbitmq/tls.key /run/secrets/rabbitmq/definitions.json /run/rabbitmq-files/
chown -R rabbitmq /run/rabbitmq-files
chmod 600 /run/rabbitmq-files/tls.key /run/rabbitmq-files/definitions.json
cp /etc/payment-gateway/rabbitmq.conf /etc/rabbitmq/conf.d/20-payment-gateway.conf
exec docker-entrypoint.sh rabbitmq-server
