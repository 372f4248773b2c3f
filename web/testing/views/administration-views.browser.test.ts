import { ADMINISTRATION_VIEWS } from './administration-views.ts';
import { checkViews } from './check-views.ts';

checkViews(ADMINISTRATION_VIEWS);
