import { Button, Group } from '@mantine/core';
import { Link, useLocation } from 'wouter';

interface Tab {
  readonly href: string;
  readonly text: string;
}

/** Links between the pages of one section. */
export function SectionTabs({ label, tabs }: { readonly label: string; readonly tabs: readonly Tab[] }) {
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
