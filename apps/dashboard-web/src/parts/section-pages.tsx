import { Button, Group } from '@mantine/core';
import type { Environment } from '@pay/contracts';
import { createContext, use, type ReactNode } from 'react';
import { Link, Route, Switch, useLocation } from 'wouter';
import type { Permission } from '../api/operations';
import { useMay } from '../session/session-context';
import { NoPage } from './page-states';
import { placeOf } from './places';

interface SectionPage {
  /** Below the address of the section; its first page has none. The first path that fits is used. */
  readonly path?: string;
  /** The id is that of the address. */
  readonly page: (id: string) => ReactNode;
  readonly tab?: string;
  /** Users who may not call the operation do not see the tab. */
  readonly permission?: Permission;
}

interface SectionPagesProps {
  readonly environment: Environment;
  /** In the address. */
  readonly name: string;
  readonly label: string;
  readonly pages: readonly SectionPage[];
}

interface Tab {
  readonly href: string;
  readonly text: string;
}
const Tabs = createContext<{ readonly label: string; readonly tabs: readonly Tab[] }>({ label: '', tabs: [] });

/** The pages of one section by their address. */
export function SectionPages({ environment, name, label, pages }: SectionPagesProps) {
  const may = useMay();
  const tabs = pages.flatMap(({ path, tab: text, permission }) => {
    if (text === undefined || (permission !== undefined && !may(...permission))) return [];
    return [{ href: placeOf(environment, name, ...(path === undefined ? [] : [path])), text }];
  });
  return (
    <Tabs value={{ label, tabs }}>
      <Switch>
        {pages.map(({ path = '', page }) => (
          <Route key={path} path={`/:environment/${name}/${path}`}>
            {({ id = '' }: { readonly id?: string }) => page(id)}
          </Route>
        ))}
        <Route>
          <NoPage />
        </Route>
      </Switch>
    </Tabs>
  );
}

/** Links between the pages of the section. */
export function SectionTabs() {
  const { label, tabs } = use(Tabs);
  const [location] = useLocation();
  const current = tabs.filter(({ href }) => location === href || location.startsWith(`${href}/`)).at(-1);
  return (
    <Group component="nav" aria-label={label} gap="xs" mb="md">
      {tabs.map((tab) => (
        <Button
          key={tab.href}
          component={Link}
          href={tab.href}
          size="sm"
          variant={tab === current ? 'filled' : 'default'}
          {...(tab === current ? { 'aria-current': 'page' as const } : {})}
        >
          {tab.text}
        </Button>
      ))}
    </Group>
  );
}
