import { PUBLIC_ROUTES } from './routes';

const SERVICE_PORT = 8080;

/** Unknown paths get 404 from nginx, so that internal routes, health and metrics have no public address. */
export function edgeConfig(): string {
  return `# Made by node tools/edge-config.mjs from tools/local/routes.ts; a test compares them.
worker_processes auto;
daemon off;
pid /tmp/nginx.pid;
error_log stderr warn;
events { worker_connections 4096; }
http {
  # Paths of checkouts carry the ids of intents, and queries may carry more: no line per request.
  access_log off;
  server_tokens off;
  client_body_temp_path /tmp/body;
  proxy_temp_path /tmp/proxy;
  fastcgi_temp_path /tmp/fastcgi;
  uwsgi_temp_path /tmp/uwsgi;
  scgi_temp_path /tmp/scgi;
  # Larger than any body that a service accepts: the service answers for its own limit.
  client_max_body_size 2m;
  # Docker's name server: a container that was replaced is found at its new address.
  resolver 127.0.0.11 valid=5s ipv6=off;

  # What a client says about its own address is dropped: no proxy is in front of this server.
  proxy_set_header Host $http_host;
  proxy_set_header Forwarded "";
  proxy_set_header X-Real-IP "";
  proxy_set_header X-Forwarded-For $remote_addr;
  proxy_set_header X-Forwarded-Proto https;
  proxy_set_header X-Forwarded-Host "";
  proxy_set_header Connection "";
  proxy_http_version 1.1;
  # Event streams: nothing is held back, and a quiet one stays open.
  proxy_buffering off;
  proxy_connect_timeout 2s;
  proxy_read_timeout 1h;
  # A request that a service may have taken is not sent again.
  proxy_next_upstream off;

  server {
    listen 8443 ssl;
    ssl_certificate /run/secrets/edge/tls.crt;
    ssl_certificate_key /run/secrets/edge/tls.key;
    ssl_protocols TLSv1.2 TLSv1.3;
    merge_slashes off;
    default_type application/json;
    error_page 502 504 =503 @unavailable;

    location / { return 404 '{"code":"NOT_FOUND","message":"No service answers this path."}'; }
    location @unavailable { return 503 '{"code":"SERVICE_UNAVAILABLE","message":"The service cannot answer right now. Retry shortly."}'; }

${PUBLIC_ROUTES.map(([prefix, service]) => locations(prefix, service)).join('\n')}
  }
}
`;
}

/** A path and its sub-paths: `/v1/payments-old` does not match. nginx resolves a variable at run time. */
function locations(prefix: string, service: string): string {
  const pass = `{ set $service ${service}; proxy_pass http://$service:${SERVICE_PORT}; }`;
  return `    location = ${prefix} ${pass}\n    location ${prefix}/ ${pass}`;
}
