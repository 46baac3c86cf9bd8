import type { RawRequest } from './raw-api';

const MOST_CHARACTERS = 2_000;
/** Headers with a credential, and the shell variables that replace them. */
const CREDENTIALS: Readonly<Record<string, string>> = {
  'x-api-key': '$API_KEY',
  'x-device-key': '$DEVICE_KEY',
  authorization: 'Bearer $ACCESS_TOKEN',
  cookie: '$COOKIE',
};

/** A command that repeats the request, for error messages. Credentials are replaced by shell variables. */
export function asCurl(baseUrl: string, { method, path, headers = {}, body }: RawRequest): string {
  const parts = Object.entries(headers).map(([name, value]) => {
    const credential = CREDENTIALS[name.toLowerCase()];
    return credential === undefined ? `-H ${quoted(`${name}: ${value}`)}` : `-H "${name}: ${credential}"`;
  });
  const data = body === undefined ? [] : [`--data-binary ${quoted(body)}`];
  const whole = ['curl', '-i', '-X', method, ...parts, ...data, `"${baseUrl}"${quoted(path)}`].join(' ');
  return whole.length <= MOST_CHARACTERS
    ? whole
    : `${whole.slice(0, MOST_CHARACTERS)} ... (${whole.length} characters)`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
