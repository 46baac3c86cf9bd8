export { openDataService, type DataServiceDeps } from './open-data-service';
