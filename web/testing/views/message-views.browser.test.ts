import { checkViews } from './check-views.ts';
import { MESSAGE_VIEWS } from './message-views.ts';

checkViews(MESSAGE_VIEWS);
