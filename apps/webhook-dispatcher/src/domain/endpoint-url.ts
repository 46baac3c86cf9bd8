import { ENDPOINT_PORTS, MAX_URL_LENGTH, refusalDetail, type Environment, type REFUSAL_DETAILS } from '@pay/contracts';

/** Host and port, because developers run several shops on one machine. A trailing dot is ignored. */
export function receiverOf(url: string): string {
  return `${hostOf(url)}:${portOf(new URL(url))}`;
}

/** WHATWG omits the default port of a protocol. */
function portOf({ protocol, port }: URL): number {
  return Number(port || (protocol === 'https:' ? 443 : 80));
}

/** Without the port, because the request limit protects a machine with all its ports. */
export function hostOf(url: string): string {
  return new URL(url).hostname.replace(/\.$/, '');
}

/** White space, control characters and lone surrogates. The URL parser silently drops or replaces them. */
const UNFIT = /[\s\p{C}]/u;

export type UrlCheck = { readonly ok: true; readonly url: URL } | { readonly ok: false; readonly problem: string };

/** Checks only the text. The address guard checks addresses. */
export function checkEndpointUrl(text: string, environment: Environment): UrlCheck {
  const refuse = (problem: keyof typeof REFUSAL_DETAILS): UrlCheck => ({
    ok: false,
    problem: refusalDetail(problem, { most: MAX_URL_LENGTH }),
  });
  if (text.length > MAX_URL_LENGTH) return refuse('urlTooLong');
  if (UNFIT.test(text) || !URL.canParse(text)) return refuse('urlNotHttp');
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return refuse('urlNotHttp');
  if (environment === 'LIVE' && url.protocol !== 'https:') return refuse('urlNotHttps');
  if (url.username !== '' || url.password !== '') return refuse('urlHasUser');
  // `hash` is also empty for a bare `#`, so the text is checked.
  if (text.includes('#')) return refuse('urlHasFragment');
  const port = portOf(url);
  if (!ENDPOINT_PORTS.some(({ from, to }) => port >= from && port <= to)) return refuse('urlPort');
  return { ok: true, url };
}
