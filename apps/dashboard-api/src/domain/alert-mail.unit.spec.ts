import { alertMail } from './alert-mail';

describe('the mail of alerts', () => {
  const since = new Date('2026-11-24T03:00:00.000Z');
  const given = { merchantName: 'Boi Bazar', environment: 'LIVE' as const };

  it('names each problem in both languages, what to do, and where', () => {
    const mail = alertMail({
      ...given,
      dashboardUrl: 'https://pay.example/dashboard/',
      alerts: [
        { kind: 'device_silent', subject: 'device', name: 'Counter', count: 1, since },
        { kind: 'sms_missing', subject: 'all', name: null, count: 12, since },
        { kind: 'payment_doubtful', subject: '0193500a', name: null, count: 1, since },
      ],
    });

    expect(mail.subject).toBe(
      'Boi Bazar: phone is silent, SMS are missing, payment is doubtful / Boi Bazar: ফোন নীরব, এসএমএস পাওয়া যায়নি, পেমেন্ট সন্দেহজনক',
    );
    expect(mail.text).toContain('The phone "Counter" has been silent since 24 November 2026 at 09:00 (Dhaka).');
    expect(mail.text).toContain('"Counter" ফোনটি');
    expect(mail.text).toContain('১২টি');
    expect(mail.text.match(/https:\/\/pay\.example\/dashboard\/live\/devices\n/g)).toHaveLength(2);
    expect(mail.text).toContain('https://pay.example/dashboard/live/sms/missing');
    expect(mail.text).toContain('by an SMS that may be forged');
    expect(mail.text).toContain('জাল হতে পারে');
    expect(mail.text.match(/https:\/\/pay\.example\/dashboard\/live\/payments\/0193500a\n/g)).toHaveLength(2);
    expect(mail.text).toContain('https://pay.example/dashboard/live/settings');
  });

  it('counts exceptions of all kinds together', () => {
    const earlier = new Date('2026-11-24T02:00:00.000Z');
    const alerts = [
      { kind: 'exceptions_waiting' as const, subject: 'amount_differs', name: null, count: 3, since },
      { kind: 'sms_missing' as const, subject: 'all', name: null, count: 1, since },
      { kind: 'exceptions_waiting' as const, subject: 'no_payer', name: null, count: 1, since: earlier },
    ];
    const { text } = alertMail({ ...given, alerts, dashboardUrl: undefined });

    expect(text.match(/Payments wait for your decision/g)).toHaveLength(1);
    expect(text).toContain('decision: 4, the oldest since 24 November 2026 at 08:00 (Dhaka)');
  });

  it('lists at most 20, and has no links without a dashboard', () => {
    const alerts = Array.from({ length: 25 }, (_, index) => ({
      kind: 'device_silent' as const,
      subject: `device ${index}`,
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
