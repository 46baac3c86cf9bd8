import { alertMail } from './alert-mail';
import { invitationMail, loginLimitedMail, timeText } from './mail-texts';

const INVITATION = {
  merchantName: 'Boi Bazar',
  inviterName: 'Rahim',
  role: 'REVIEWER' as const,
  token: 't-o-k',
  expiresAt: new Date('2026-11-30T10:00:00Z'),
  dashboardUrl: 'https://shop.example/dashboard/',
  apiUrl: 'https://api.shop.example/',
} as const;

describe('mails', () => {
  it('invite in English and in Bangla with the same link and the end in the time of Asia/Dhaka', () => {
    const { subject, text } = invitationMail(INVITATION);

    expect(subject).toBe('Invitation to Boi Bazar / Boi Bazar-এ যোগ দেওয়ার আমন্ত্রণ');
    const [english, bangla] = text.split('———');
    for (const part of [english, bangla]) expect(part).toContain('https://shop.example/dashboard/invitations#t-o-k\n');
    expect(english).toContain('Rahim invites you to Boi Bazar, with the role REVIEWER.');
    expect(english).toContain('once until 30 November 2026 at 16:00 (Dhaka).');
    expect(bangla).toContain('Rahim আপনাকে Boi Bazar-এ যাচাইকারী হিসেবে আমন্ত্রণ জানিয়েছেন।');
    expect(bangla).toContain(timeText(INVITATION.expiresAt, 'bn'));
  });

  it('invite with the requests of the API in both languages where there is no dashboard', () => {
    const { text } = invitationMail({ ...INVITATION, dashboardUrl: undefined });

    for (const action of ['accept', 'login'])
      expect(text.split(`POST https://api.shop.example/v1/auth/invitations/${action} `)).toHaveLength(3);
    expect(text).not.toContain('undefined');
  });

  it.each([
    ['2026-11-30T08:39:00Z', /৩০ নভেম্বর.*২০২৬.* ১৪:৩৯ \(ঢাকা\)$/],
    ['2026-11-29T18:05:00Z', /৩০ নভেম্বর.*২০২৬.* ০০:০৫ \(ঢাকা\)$/],
  ])('write %s in Bangla without Latin letters', (time, text) => {
    expect(timeText(new Date(time), 'bn')).toMatch(text);
  });

  it('report failed log-ins in both languages with the address', () => {
    const { subject, text } = loginLimitedMail('192.0.2.7');

    expect(subject).toBe('Failed log-ins of your account / আপনার অ্যাকাউন্টে ব্যর্থ লগ ইন');
    expect(text.match(/192\.0\.2\.7/g)).toHaveLength(2);
    expect(text).toContain('বারবার লগ ইন ব্যর্থ হয়েছে');
  });

  describe('contain no name that mail programs turn into a link', () => {
    const NAMES = { shop: 'Chaldal.com', person: 'Locked, see pay-support.example/login', phone: 'evil。example' };
    const mails = {
      invitation: () => invitationMail({ ...INVITATION, merchantName: NAMES.shop, inviterName: NAMES.person }),
      alert: () =>
        alertMail({
          merchantName: NAMES.shop,
          environment: 'LIVE',
          dashboardUrl: undefined,
          alerts: [
            { kind: 'device_silent', subject: 'a', name: NAMES.phone, count: 1, since: INVITATION.expiresAt },
            { kind: 'endpoint_failing', subject: 'b', name: NAMES.person, count: 1, since: INVITATION.expiresAt },
          ],
        }),
    };

    it.each(['invitation', 'alert'] as const)('in the mail of an %s', (kind) => {
      const { subject, text } = mails[kind]();

      for (const name of Object.values(NAMES)) expect(subject + text).not.toContain(name);
      const seen = (subject + text).replaceAll('\u2060', '');
      expect(seen).toContain(NAMES.shop);
      expect(seen).toContain(NAMES.person);
      expect(subject).toContain('Chaldal.\u2060com');
    });
  });

  it('keep the links of the gateway', () => {
    expect(invitationMail({ ...INVITATION, merchantName: 'Chaldal.com' }).text).toContain(
      'https://shop.example/dashboard/invitations#t-o-k\n',
    );
  });
});
