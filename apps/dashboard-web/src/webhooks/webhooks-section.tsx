import type { Environment } from '@pay/contracts';
import { Route, Switch } from 'wouter';
import { NoPage } from '../parts/page-states';
import { DeliveriesPage } from './deliveries-page';
import { DeliveryPage } from './delivery-page';
import { EndpointPage } from './endpoint-page';
import { EndpointsPage } from './endpoints-page';

/** Endpoints and deliveries of one environment. */
export default function WebhooksSection({ environment }: { readonly environment: Environment }) {
  return (
    <Switch>
      <Route path="/:environment/webhooks">
        <EndpointsPage environment={environment} />
      </Route>
      <Route path="/:environment/webhooks/deliveries">
        <DeliveriesPage environment={environment} />
      </Route>
      <Route path="/:environment/webhooks/deliveries/:id">
        {({ id }) => <DeliveryPage key={id} environment={environment} id={id} />}
      </Route>
      <Route path="/:environment/webhooks/:id">
        {({ id }) => <EndpointPage key={id} environment={environment} id={id} />}
      </Route>
      <Route>
        <NoPage />
      </Route>
    </Switch>
  );
}
