import { checkEndpointUrl } from './endpoint-url';

const problemOf = (text: string, environment: 'LIVE' | 'SANDBOX' = 'SANDBOX'): string | undefined => {
  const check = checkEndpointUrl(text, environment);
  return check.ok ? undefined : check.problem;
};

test.each([
  ['https://shop.example/hooks', 'LIVE'],
  ['https://shop.example:8443/hooks?a=1', 'LIVE'],
  ['http://shop.example/hooks', 'SANDBOX'],
  ['http://shop.example:80/', 'SANDBOX'],
  ['http://shop.example:1024/', 'SANDBOX'],
  ['https://shop.example:65535/', 'LIVE'],
  ['HTTPS://SHOP.EXAMPLE', 'LIVE'],
  [`https://shop.example/${'a'.repeat(1_979)}`, 'LIVE'],
] as const)('accepts %s for %s', (text, environment) => {
  expect(problemOf(text, environment)).toBeUndefined();
});

test.each([
  ['ftp://shop.example/', 'http or https'],
  ['javascript:alert(1)', 'http or https'],
  ['file:///etc/passwd', 'http or https'],
  ['shop.example/hooks', 'http or https'],
  ['', 'http or https'],
  ['https://', 'http or https'],
  [' https://shop.example/', 'http or https'],
  ['https://shop.example/a\nb', 'http or https'],
  ['https://shop.example/\ud83d', 'http or https'],
  ['https://user:pass@shop.example/', 'user info'],
  ['https://user@shop.example/', 'user info'],
  ['https://shop.example/#part', 'fragment'],
  ['https://shop.example/#', 'fragment'],
  ['https://shop.example:25/', 'port'],
  ['http://shop.example:22/', 'port'],
  ['http://shop.example:0/', 'port'],
  ['http://shop.example:1023/', 'port'],
  [`https://shop.example/${'a'.repeat(1_980)}`, '2000 characters'],
])('refuses %s, naming url', (text, word) => {
  expect(problemOf(text)).toMatch(/^url /);
  expect(problemOf(text)).toContain(word);
});

test('LIVE accepts only https', () => {
  expect(problemOf('http://shop.example/', 'LIVE')).toBe('url must use https for LIVE endpoints');
});
