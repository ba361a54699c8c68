<?php
/**
 * Takes the settings along when the plugin is deleted.
 *
 * @package swap-widget
 */

defined( 'WP_UNINSTALL_PLUGIN' ) || exit;

delete_option( 'swap_widget' );
