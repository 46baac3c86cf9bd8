import { randomUUID } from 'node:crypto';
import type { Role } from '@pay/contracts';
import { hashKey } from '@pay/http';
import { uuidv7 } from 'uuidv7';
import { createMerchant } from '../src/merchants/create-merchant';
import { createUser } from '../src/people/create-user';
import { insertInvitation } from '../src/people/invitation-repository';
import type { ServiceUnderTest } from './service-under-test';

export interface Person {
  readonly userId: string;
  readonly merchantId: string;
  readonly email: string;
  readonly password: string;
}

/** A person with their own merchant, or at the given one. */
export function aPerson(
  service: ServiceUnderTest,
  { role = 'OWNER', merchantId }: { role?: Role; merchantId?: string } = {},
): Promise<Person> {
  return service.change(async (deps, tx) => {
    const email = `${randomUUID()}@shop.example`;
    const shop = merchantId ?? (await createMerchant(deps, tx, { name: 'Boi Bazar', enabledMethods: [] })).merchantId;
    const { userId, password } = await createUser(deps, tx, { merchantId: shop, email, name: 'Rahim', role });
    return { userId, merchantId: shop, email, password };
  });
}

/** An invitation of this owner that can be accepted for a day, with the token of its mail. */
export async function anInvitation(
  { db }: Pick<ServiceUnderTest, 'db'>,
  owner: Person,
  { email = `${randomUUID()}@shop.example`, now = new Date() }: { email?: string; now?: Date } = {},
) {
  const token = randomUUID();
  const invitation = {
    id: uuidv7(),
    merchantId: owner.merchantId,
    email,
    name: 'Salma',
    role: 'REVIEWER' as const,
    expiresAt: new Date(now.getTime() + 86_400_000),
    acceptedAt: null,
    revokedAt: null,
    createdBy: owner.userId,
    createdAt: now,
  };
  await db.transaction((tx) => insertInvitation(tx, invitation, hashKey(token)));
  return { token, ...invitation };
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: any;
}

/** Something that keeps the refresh cookie and the access token, as a page in a browser does. */
export class Browser {
  cookie: string | undefined;
  /** The token by which an account knows this browser. */
  browserCookie: string | undefined;
  accessToken: string | undefined;

  constructor(
    public service: Pick<ServiceUnderTest, 'url'>,
    /** As a trusted proxy has seen it. */
    readonly address?: string,
  ) {}

  /** The same cookie and token in another tab. */
  copy(): Browser {
    const { cookie, browserCookie, accessToken } = this;
    return Object.assign(new Browser(this.service, this.address), { cookie, browserCookie, accessToken });
  }

  async post(path: string, body?: object, headers: Record<string, string> = {}): Promise<Answer> {
    return this.send('POST', path, body, headers);
  }

  async get(path: string): Promise<Answer> {
    return this.send('GET', path);
  }

  async patch(path: string, body: object): Promise<Answer> {
    return this.send('PATCH', path, body);
  }

  async logIn({ email, password }: Pick<Person, 'email' | 'password'>, code?: string): Promise<Answer> {
    return this.post('/v1/auth/login', { email, password, ...(code !== undefined && { code }) });
  }

  async refresh(): Promise<Answer> {
    return this.post('/v1/auth/refresh', undefined, { 'x-requested-with': 'dashboard' });
  }

  async logOut(): Promise<Answer> {
    return this.post('/v1/auth/logout', undefined, { 'x-requested-with': 'dashboard' });
  }

  async me(query = ''): Promise<Answer> {
    return this.send('GET', `/v1/auth/me${query}`);
  }

  private async send(
    method: string,
    path: string,
    body?: object,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const response = await fetch(this.service.url + path, {
      method,
      headers: {
        ...(body && { 'content-type': 'application/json' }),
        cookie: ['theme=dark', this.cookie, this.browserCookie].filter((each) => each !== undefined).join('; '),
        ...(this.address !== undefined && { 'x-forwarded-for': this.address }),
        ...(this.accessToken !== undefined && { authorization: `Bearer ${this.accessToken}` }),
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const answer = { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) };
    for (const [set = ''] of response.headers.getSetCookie().map((each) => each.split(';'))) {
      const kept = set.endsWith('=') ? undefined : set;
      if (set.startsWith('pay_refresh=')) this.cookie = kept;
      if (set.startsWith('pay_browser=')) this.browserCookie = kept;
    }
    if (typeof answer.body.accessToken === 'string') this.accessToken = answer.body.accessToken;
    return answer;
  }
}

/** A person who has just logged in. */
export async function loggedIn(service: ServiceUnderTest, person: Person, code?: string): Promise<Browser> {
  const browser = new Browser(service);
  const answer = await browser.logIn(person, code);
  if (answer.status !== 200) throw new Error(`the log-in returned ${answer.status} ${JSON.stringify(answer.body)}`);
  return browser;
}
