import { alertMail } from './alert-mail';

describe('the mail of alerts', () => {
  const since = new Date('2026-11-24T03:00:00.000Z');
  const given = { merchantName: 'Boi Bazar', environment: 'LIVE' as const };

  it('names each problem in both languages, what to do, and where', () => {
    const mail = alertMail({
      ...given,
      dashboardUrl: 'https://pay.example/dashboard/',
      alerts: [
        { kind: 'device_silent', name: 'Counter', count: 1, since },
        { kind: 'sms_missing', name: null, count: 12, since },
      ],
    });

    expect(mail.subject).toBe('Boi Bazar: phone is silent, SMS are missing / Boi Bazar: ফোন নীরব, এসএমএস পাওয়া যায়নি');
    expect(mail.text).toContain('The phone "Counter" has been silent since 24 November 2026 at 09:00 (Dhaka).');
    expect(mail.text).toContain('"Counter" ফোনটি');
    expect(mail.text).toContain('১২টি');
    expect(mail.text.match(/https:\/\/pay\.example\/dashboard\/live\/devices\n/g)).toHaveLength(2);
    expect(mail.text).toContain('https://pay.example/dashboard/live/sms/missing');
    expect(mail.text).toContain('https://pay.example/dashboard/live/settings');
  });

  it('counts exceptions of all kinds together', () => {
    const earlier = new Date('2026-11-24T02:00:00.000Z');
    const alerts = [
      { kind: 'exceptions_waiting' as const, name: null, count: 3, since },
      { kind: 'sms_missing' as const, name: null, count: 1, since },
      { kind: 'exceptions_waiting' as const, name: null, count: 1, since: earlier },
    ];
    const { text } = alertMail({ ...given, alerts, dashboardUrl: undefined });

    expect(text.match(/Payments wait for your decision/g)).toHaveLength(1);
    expect(text).toContain('decision: 4, the oldest since 24 November 2026 at 08:00 (Dhaka)');
  });

  it('lists at most 20, and has no links without a dashboard', () => {
    const alerts = Array.from({ length: 25 }, (_, index) => ({
      kind: 'device_silent' as const,
      name: `Phone ${index}`,
      count: 1,
      since,
    }));
    const { text } = alertMail({ ...given, alerts, dashboardUrl: undefined });

    expect(text.match(/has been silent since/g)).toHaveLength(20);
    expect(text).toContain('And 5 more.');
    expect(text).not.toContain('http');
  });
});
