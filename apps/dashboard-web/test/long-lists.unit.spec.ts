import type { OperationId } from '../src/api/operations';
import { answerIn, exampleAnswers } from './example-answers';
import { loadPages } from './load-pages';
import { act } from './use-page';

const EXAMPLES = exampleAnswers();
const ITEMS = 101;
const ENABLED = { isDisabled: false, status: 'ONLINE' };
const OLDEST = 'Phone of the first branch';

/** All pages are bundled: seconds on a loaded machine. */
jest.setTimeout(60_000);

describe('pages of a shop with more phones or numbers than one page of the API contains', () => {
  let openPage: Awaited<ReturnType<typeof loadPages>>;
  beforeAll(async () => {
    openPage = await loadPages();
  });

  type Lists = Partial<Record<OperationId, readonly object[]>>;

  async function opened(place: string, lists: Lists, enabledMethods: readonly string[] = []) {
    const page = openPage({
      place,
      role: 'OWNER',
      answer: (id, input) => {
        const items = lists[id];
        if (id === 'getMerchant') return { ...(EXAMPLES[id] as object), enabledMethods };
        return items === undefined ? answerIn('SANDBOX', EXAMPLES[id]) : onePageOf(items, input);
      },
    });
    let html = await page.draw();
    return {
      html: () => html.replaceAll('\u00a0', ' '),
      click: async (name: string) => {
        await act(page, page.drawn().controls.find((control) => control.name === name)?.click ?? (() => undefined));
        html = await page.draw();
      },
    };
  }

  const phones = listOf('listDevices', { ...ENABLED, name: 'Phone' }, { ...ENABLED, name: OLDEST, status: 'OFFLINE' });

  it('the oldest phone can be disabled', async () => {
    const page = await opened('/sandbox/devices', { listDevices: phones });

    for (let pages = 1; pages < 5; pages += 1) await page.click('Show more');

    const card = page.html().split('data-device="').at(-1);
    expect(card).toContain(OLDEST);
    expect(card).toContain('data-operation="disableDevice"');
  });

  it('the overview counts every phone, so that one that is silent is offline', async () => {
    const page = await opened('/sandbox/overview', { listDevices: phones });

    expect(page.html()).toContain('100 of 101');
    expect(page.html()).toContain('1 offline');
  });

  it('the SMS of every phone and of every number can be selected', async () => {
    const page = await opened('/sandbox/sms', {
      listDevices: phones,
      listReceiverAccounts: listOf('listReceiverAccounts', {}, { msisdn: '01999999999' }),
    });

    expect(page.html()).toMatch(new RegExp(`<option[^>]*>${OLDEST}</option>`));
    expect(page.html()).toMatch(/<option[^>]*>01999999999 · /);
  });

  it('the page of numbers has each of them, and no warning for a method of the oldest one', async () => {
    const newer = { paymentMethod: 'BKASH_PAYMENT', isActive: true };
    const oldest = { ...newer, paymentMethod: 'NAGAD_CASHOUT', msisdn: '01999999999' };
    const lists = { listReceiverAccounts: listOf('listReceiverAccounts', newer, oldest) };

    const page = await opened('/sandbox/receivers', lists, ['BKASH_PAYMENT', 'NAGAD_CASHOUT']);

    expect(page.html()).toContain('data-receiver="01999999999"');
    expect(page.html()).not.toContain('No active receiving number');
  });
});

/** Newest first, as the API sends them. */
function listOf(id: OperationId, newer: object, oldest: object): readonly object[] {
  const { data } = EXAMPLES[id] as { readonly data: readonly object[] };
  return Array.from({ length: ITEMS }, (_, index) => ({
    ...(answerIn('SANDBOX', data[0]) as object),
    ...(index === ITEMS - 1 ? oldest : newer),
    id: `01935002-0000-7000-8000-${String(index).padStart(12, '0')}`,
  }));
}

function onePageOf(items: readonly object[], input: object): object {
  const { query } = input as { readonly query: { readonly page?: string; readonly limit: string } };
  const [page, limit] = [Number(query.page ?? 1), Number(query.limit)];
  return { data: items.slice((page - 1) * limit, page * limit), total: items.length, page, limit };
}
