import { withWriter } from './with-writer';

describe('withWriter', () => {
  it.each(['127.0.0.1', 'localhost'])('names the setting and the remedy if no database listens at %s', async (host) => {
    const env = { NODE_ENV: 'development', DATABASE_URL: `postgres://shop:secret@${host}:1/gateway` };
    const refused = withWriter({ env, actor: 'cli:test' }, () => Promise.resolve());

    await expect(refused).rejects.toThrow(
      /^DATABASE_URL: the database cannot be reached \(connect ECONNREFUSED .+\); start it, or correct the address$/,
    );
    await expect(refused).rejects.not.toThrow(/secret/);
  });
});
