import { checkViews } from './check-views.ts';
import { DIALOG_VIEWS } from './dialog-views.ts';

checkViews(DIALOG_VIEWS);
