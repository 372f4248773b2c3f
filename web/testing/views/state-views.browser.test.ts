import { checkViews } from './check-views.ts';
import { STATE_VIEWS } from './state-views.ts';

checkViews(STATE_VIEWS);
