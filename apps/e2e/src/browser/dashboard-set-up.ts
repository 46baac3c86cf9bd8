import { randomUUID } from 'node:crypto';
import type { Browser } from 'playwright-core';
import { ControlPlane } from '../control-plane';
import { PublicApi } from '../merchant-client';
import { ownMerchant, type OwnMerchant } from '../own-merchant';
import { RawApi } from '../raw-api';
import { readSystem } from '../system';
import { DashboardTab, type Login, type TabOptions } from './dashboard-stories';
import { openBrowser } from './open-browser';

export const RUN_DIRECTORY = process.env['E2E_RUN_DIRECTORY'] ?? '.run';

/**
 * The running system with a merchant and a browser for one spec file. Call it inside `describe`; tabs are closed after
 * each story.
 */
export function dashboardStories() {
  const system = readSystem(RUN_DIRECTORY);
  const controlPlane = new ControlPlane(RUN_DIRECTORY);
  const api = new PublicApi(system.baseUrl);
  const rawApi = new RawApi(system.baseUrl);
  const tabs: DashboardTab[] = [];
  let merchant: OwnMerchant;
  let browser: Browser;

  beforeAll(async () => {
    [merchant, browser] = await Promise.all([ownMerchant(system, controlPlane), openBrowser()]);
  });
  afterEach(async () => {
    await Promise.all(tabs.splice(0).map((tab) => tab.close()));
  });
  afterAll(async () => {
    await browser.close();
    await api.close();
    await rawApi.close();
  });

  return {
    system,
    controlPlane,
    api,
    ownShop: () => merchant,
    async openTab(options: TabOptions = {}): Promise<DashboardTab> {
      const tab = await DashboardTab.open(browser, system.baseUrl, options);
      tabs.push(tab);
      return tab;
    },
    async newUser(role: string): Promise<Login> {
      const email = `${randomUUID()}@shop.example`;
      const { password } = await controlPlane.run<{ password: string }>('create-user', {
        merchant: merchant.id,
        email,
        role,
        name: `${role} Rahima`,
      });
      return { email, password };
    },
    async callerFor({ email, password }: Login) {
      const authorization = `Bearer ${await rawApi.signIn(email, password)}`;
      return <Body>(method: string, path: string, body?: unknown) =>
        api.call<Body>(method, path, { authorization }, body);
    },
  };
}
