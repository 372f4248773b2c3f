import { checkViewsOn } from './check-views.ts';

checkViewsOn('phone');
